#include "core/ir/context-private.h"
#include "passes.h"

void
fb_var_vals_set (GArray *var_vals, FbUop *var, FbArg value)
{
  FbVarVal entry = { var, value };

  for (guint i = 0; i < var_vals->len; i++)
    if (g_array_index (var_vals, FbVarVal, i).var == var)
      {
        g_array_index (var_vals, FbVarVal, i).value = value;
        return;
      }
  g_array_append_val (var_vals, entry);
}
