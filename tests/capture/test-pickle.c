/* Opcodes of all protocols, and what they make. */
#include "assemble.h"

static void
test_numbers (void)
{
  CHECK ("K\xff.", "255");
  CHECK ("M\x01\x02.", "513");
  CHECK ("J\xff\xff\xff\xff.", "-1");
  CHECK ("\x8a\x00.", "0");
  CHECK ("\x8a\x01\xff.", "-1");
  CHECK ("\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80.", "-9223372036854775808");
  CHECK ("\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00.", "18446744073709551615");
  CHECK ("\x8b\x02\x00\x00\x00\x00\x01.", "256");
  CHECK ("\x8b\x00\x00\x00\x80.", "test, byte 0: an integer has a negative length.");
  CHECK ("I01\n.", "True");
  CHECK ("I00\n.", "False");
  CHECK ("I-17\n.", "-17");
  CHECK ("L-128L\n.", "-128");
  CHECK ("L123456789012345678901234567890L\n.", "123456789012345678901234567890");
  CHECK ("L-18446744073709551616L\n.", "-18446744073709551616");
  CHECK ("I1x\n.", "test, byte 0: an integer is not written in decimal.");
  CHECK ("N.", "None");
  CHECK ("\x88.", "True");
  CHECK ("\x89.", "False");
  CHECK ("G\x3f\xf8\x00\x00\x00\x00\x00\x00.", "1.5");
  CHECK ("G\xff\xf0\x00\x00\x00\x00\x00\x00.", "-inf");
  CHECK ("G\x7f\xf8\x00\x00\x00\x00\x00\x00.", "nan");
  CHECK ("F1e-05\n.", "1e-05");
  CHECK ("Fnan\n.", "nan");
  CHECK ("F1.0z\n.", "test, byte 0: a float is not written as a decimal number.");
}

static void
test_strings (void)
{
  CHECK ("\x8c\x03"
         "abc.",
         "'abc'");
  CHECK ("X\x02\x00\x00\x00\xc3\xa9.", "'é'");
  CHECK ("\x8d\x01\x00\x00\x00\x00\x00\x00\x00'.", "\"'\"");
  CHECK ("U\x01q.", "'q'");
  CHECK ("T\x01\x00\x00\x00q.", "'q'");
  CHECK ("S'a\\'b\\n\\x41'\n.", "\"a'b\\nA\"");
  CHECK ("S\"x\"\n.", "'x'");
  CHECK ("Sx\n.", "test, byte 0: a string is not in quotes.");
  CHECK ("S'\\q'\n.", "test, byte 0: a string has the unknown escape \\q.");
  CHECK ("V\\u20ac\\n\n.", "'€\\\\n'");
  CHECK ("V\xe9\n.", "'é'");
  CHECK ("V\\ud800\n.", "test, byte 0: a string holds U+D800, which is no character.");
  CHECK ("\x8c\x01\xff.", "test, byte 0: a string is not valid UTF-8.");
  CHECK ("C\x02\x00\xff.", "b'\\x00\\xff'");
  CHECK ("B\x01\x00\x00\x00z.", "b'z'");
  CHECK ("\x8e\x01\x00\x00\x00\x00\x00\x00\x00z.", "b'z'");
  CHECK ("\x96\x01\x00\x00\x00\x00\x00\x00\x00z.", "bytearray(b'z')");
  CHECK ("c_codecs\nencode\n(X\x03\x00\x00\x00"
         "a\xc3\xbfX\x06\x00\x00\x00latin1tR.",
         "b'a\\xff'");
}

static void
test_containers (void)
{
  CHECK (").", "()");
  CHECK ("K\x01\x85.", "(1,)");
  CHECK ("K\x01K\x02\x86.", "(1, 2)");
  CHECK ("K\x01K\x02K\x03\x87.", "(1, 2, 3)");
  CHECK ("(K\x01K\x02K\x03K\x04t.", "(1, 2, 3, 4)");
  CHECK ("].", "[]");
  CHECK ("]K\x01"
         "a(K\x02K\x03"
         "e.",
         "[1, 2, 3]");
  CHECK ("(K\x01K\x02l.", "[1, 2]");
  CHECK ("}.", "{}");
  CHECK ("}K\x01K\x02s(K\x03K\x04u.", "{1: 2, 3: 4}");
  CHECK ("(K\x01K\x02"
         "d.",
         "{1: 2}");
  CHECK ("\x8f.", "set()");
  CHECK ("\x8f(K\x01K\x02\x90.", "{1, 2}");
  CHECK ("(K\x01\x91.", "frozenset({1})");
  CHECK ("(\x91.", "frozenset()");
  CHECK ("cbuiltins\nset\n(](K\x05"
         "etR.",
         "{5}");
  CHECK ("cbuiltins\nbytearray\n(C\x01ztR.", "bytearray(b'z')");
  CHECK ("ccollections\nOrderedDict\n)R(K\x01K\x02u.", "{1: 2}");
  CHECK ("}(K\x01u.", "test, byte 4: a key has no value.");
  CHECK ("N(K\x01K\x02u.", "test, byte 6: items are set on something that is no dict.");
  CHECK ("NK\x01"
         "a.",
         "test, byte 3: items are added to something that is no list or set.");
}

static void
test_stack (void)
{
  CHECK ("K\x01K\x02"
         "0.",
         "1");
  CHECK ("K\x01(K\x02K\x03"
         "1.",
         "1");
  CHECK ("K\x01("
         "0.",
         "1"); /* POP takes a mark that is on top */
  CHECK ("K\x01"
         "2\x86.",
         "(1, 1)");
  CHECK ("K\x01(K\x02\x86.", "test, byte 5: an opcode needs more values than are on the stack.");
  CHECK ("0.", "test, byte 0: an opcode needs more values than are on the stack.");
  CHECK ("t.", "test, byte 0: there is no mark to go back to.");
  CHECK (".", "test, byte 0: an opcode needs more values than are on the stack.");
  CHECK ("K\x01(K\x02.", "test, byte 5: the pickle stops with a mark open.");
  CHECK ("", "test, byte 0: the pickle ends after 0 bytes, in the middle.");
  CHECK ("\xff.", "test, byte 0: 0xff is no pickle opcode.");
  CHECK ("\x80\x06N.", "test, byte 0: pickle protocol 6 is newer than 5, the newest known.");
}

static void
test_memo (void)
{
  CHECK ("K\x07\x94"
         "0h\x00.",
         "7");
  CHECK ("K\x07q\x05"
         "0h\x05.",
         "7");
  CHECK ("K\x07p3\n0g3\n.", "7");
  CHECK ("K\x07r\x03\x00\x00\x00"
         "0j\x03\x00\x00\x00.",
         "7");
  /* MEMOIZE counts the entries that are set, holes do not count */
  CHECK ("K\x07q\x05K\x08\x94h\x05h\x01\x86.", "(7, 8)");
  CHECK ("h\x00.", "test, byte 0: memo entry 0 is used before it is set.");
  CHECK ("K\x07q\x05h\x04.", "test, byte 4: memo entry 4 is used before it is set.");
  /* the tuple that a call consumed is not built, and no pickle refers to it */
  CHECK ("cbuiltins\ngetattr\nctinygrad.ops\nOps\nX\x03\x00\x00\x00"
         "ADD\x86\x94R\x94h\x01.",
         "<Ops.ADD: 48>");
  CHECK ("cbuiltins\ngetattr\nctinygrad.ops\nOps\nX\x03\x00\x00\x00"
         "ADD\x86\x94R\x94h\x00.",
         "test, byte 48: memo entry 0 is the arguments of a call, which are not kept.");
  CHECK ("gx\n.", "test, byte 0: a memo number is not a number.");
  /* filled after others refer to it */
  CHECK ("]\x94h\x00\x86K\x01h\x00K\x02"
         "a0\x86.",
         "(([2], [2]), 1)");
  CHECK ("]\x94h\x00K\x02"
         "a\x86.",
         "([2], [2])");
}

static void
test_cycles (void)
{
  CHECK ("]\x94h\x00"
         "a.",
         "[[...]]");
  CHECK ("}\x94K\x01h\x00s.", "{1: {...}}");
  CHECK ("]\x94\x85\x94h\x00h\x01"
         "a0.",
         "([(...)],)");
  CHECK ("cm\nC\n)\x81\x94}X\x01\x00\x00\x00xh\x00sb.", "<m.C(x=...)>");
}

static void
test_classes (void)
{
  CHECK ("cm.sub\nC\n.", "<class 'm.sub.C'>");
  CHECK ("cbuiltins\nint\n.", "<class 'int'>");
  CHECK ("cm\nC\n)R.", "<m.C>");
  CHECK ("cos\nsystem\n(X\x02\x00\x00\x00lstR.", "<os.system('ls')>");
  CHECK ("cm\nC\n)\x81}X\x01\x00\x00\x00xK\x01sb.", "<m.C(x=1)>");
  CHECK ("(K\x01im\nC\n.", "<m.C(1)>");
  CHECK ("(cm\nC\nK\x01o.", "<m.C(1)>");
  CHECK ("cm\nC\n)}X\x01\x00\x00\x00kK\x01s\x92.", "<m.C(k=1)>");
  CHECK ("cm\nC\n)\x81(K\x01K\x02"
         "e.",
         "<m.C(1, 2)>");
  CHECK ("cm\nC\n)\x81(K\x01K\x02u.", "<m.C(1: 2)>");
  CHECK ("ccopyreg\n_reconstructor\n(cm\nC\ncbuiltins\nobject\nNtR.", "<m.C>");
  CHECK ("X\x01\x00\x00\x00mX\x01\x00\x00\x00"
         "C\x93)R.",
         "<m.C>");
  CHECK ("cbuiltins\ngetattr\n(cm\nC\nX\x01\x00\x00\x00xtR.", "<m.C(<class 'm.C'>, 'x')>");
  CHECK ("K\x01)R.", "test, byte 3: a call is not of a global with a tuple of arguments.");
  CHECK ("cm\nC\nK\x01R.", "test, byte 7: a call is not of a global with a tuple of arguments.");
  CHECK ("K\x01}b.", "test, byte 3: state is given to something that is no object.");
  CHECK ("K\x01K\x02\x93.", "test, byte 4: a global is not named by two strings.");
  CHECK ("Pid\n.", "test, byte 0: a persistent id refers to something outside the file, which is refused.");
  CHECK ("K\x01Q.", "test, byte 2: a persistent id refers to something outside the file, which is refused.");
  CHECK ("\x82\x01.", "test, byte 0: an extension code refers to a registry outside the file, which is refused.");
  CHECK ("\x97.", "test, byte 0: an out-of-band buffer is not in the file, which is refused.");
}

/* Values that are no nodes print as Python prints them. */
static void
test_dataclasses (void)
{
  g_autoptr (FbPickle) pickle = fb_pickle_new ();
  g_autoptr (GByteArray) a = g_byte_array_new (), b = g_byte_array_new (), c = g_byte_array_new ();
  g_autofree char *info = NULL, *opt = NULL, *metadata = NULL;

  pk_global (a, "tinygrad.ops", "KernelInfo");
  RAW (a, ")\x81}(");
  pk_text (a, "name");
  pk_text (a, "test");
  pk_text (a, "local_dims");
  pk_int (a, 0);
  pk_text (a, "upcasted");
  pk_int (a, 2);
  pk_text (a, "dont_use_locals");
  RAW (a, "\x89ub.");
  info = pk_load (pickle, a);
  g_assert_cmpstr (info, ==, "KernelInfo(name='test', local_dims=0, upcasted=2, dont_use_locals=False)");

  for (int by_value = 0; by_value < 2; by_value++)
    {
      g_byte_array_set_size (b, 0);
      g_clear_pointer (&opt, g_free);
      pk_global (b, "tinygrad.renderer", "Opt");
      RAW (b, ")\x81}(");
      pk_text (b, "op");
      if (by_value)
        {
          pk_global (b, "tinygrad.renderer", "OptOps");
          RAW (b, "K\x02\x85R");
        }
      else
        {
          pk_global (b, "builtins", "getattr");
          pk_global (b, "tinygrad.renderer", "OptOps");
          pk_text (b, "UPCAST");
          RAW (b, "\x86R");
        }
      pk_text (b, "axis");
      pk_int (b, 0);
      pk_text (b, "arg");
      RAW (b, "Nub.");
      opt = pk_load (pickle, b);
      g_assert_cmpstr (opt, ==, "Opt(op=OptOps.UPCAST, axis=0, arg=None)");
    }

  pk_global (c, "tinygrad.helpers", "Metadata");
  RAW (c, ")\x81}(");
  pk_text (c, "name");
  pk_text (c, "relu");
  pk_text (c, "caller");
  pk_text (c, "nn:1");
  pk_text (c, "backward");
  RAW (c, "\x88ub.");
  metadata = pk_load (pickle, c);
  g_assert_cmpstr (metadata, ==, "relu bw - nn:1");
}

static void
test_frames (void)
{
  CHECK ("\x80\x04\x95\x02\x00\x00\x00\x00\x00\x00\x00N.", "None");
  CHECK ("\x80\x04\x95\x03\x00\x00\x00\x00\x00\x00\x00N.",
         "test, byte 2: a frame of 3 bytes does not fit the 2 bytes that follow.");
  CHECK ("\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\xffN.",
         "test, byte 2: a frame of 18446744073709551615 bytes does not fit the 2 bytes that follow.");
  CHECK ("\x80\x04\x95\x01\x00\x00\x00\x00\x00\x00\x00K\x01.",
         "test, byte 11: an opcode crosses the end of its frame.");
  CHECK ("\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00\x95\x01\x00\x00\x00\x00\x00\x00\x00N.",
         "test, byte 11: a frame begins inside another.");
  CHECK ("\x80\x04\x95\x03\x00\x00\x00\x00\x00\x00\x00N.0",
         "test, byte 12: the pickle stops 1 bytes before the end of its frame.");
  /* large strings stand between frames */
  CHECK ("\x80\x04\x95\x01\x00\x00\x00\x00\x00\x00\x00]X\x01\x00\x00\x00z\x95\x02\x00\x00\x00\x00\x00\x00\x00"
         "a.",
         "['z']");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/capture/pickle/numbers", test_numbers);
  g_test_add_func ("/core/capture/pickle/strings", test_strings);
  g_test_add_func ("/core/capture/pickle/containers", test_containers);
  g_test_add_func ("/core/capture/pickle/stack", test_stack);
  g_test_add_func ("/core/capture/pickle/memo", test_memo);
  g_test_add_func ("/core/capture/pickle/cycles", test_cycles);
  g_test_add_func ("/core/capture/pickle/classes", test_classes);
  g_test_add_func ("/core/capture/pickle/dataclasses", test_dataclasses);
  g_test_add_func ("/core/capture/pickle/frames", test_frames);
  return g_test_run ();
}
