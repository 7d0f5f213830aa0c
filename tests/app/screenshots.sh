#!/usr/bin/env bash
# Pictures of the window's main states: screenshots.sh FUSEBOX SAMPLES FOLDER. Needs a display.
set -euo pipefail
fusebox=$1 samples=$2 folder=$3
mkdir -p "$folder"
export GSK_RENDERER=cairo GSETTINGS_BACKEND=memory GTK_A11Y=none LC_ALL=C.UTF-8

# A state: its name, then what is opened and done.
states=(
  "step          lerp.db --step 19"
  "step-large    mlp_train.db --step 19"
  "kernel        lerp.db --pass 5 --step 1"
  "nothing       lerp.db --pass realize"
  "nodes         mlp_train.db --step 40 --do show-nodes"
  "side-by-side  convnet_train.db --step 30 --do diff-layout('side-by-side') --do diff-scope('graph')"
  "node          attention.db --step 12 --do inspector-tab('node')"
  "search        mlp_train.db --step 100 --do search-all('ADD(x, 0)') --do next-hit --do inspector-tab('lineage')"
  "breakpoints   lerp.db --step 2 --do break-on-rule --do add-breakpoint('op:ASSIGN') --do continue --do show-breakpoints"
  "rules         mlp_train.db --step 40 --do show-rules"
  "lineage       mlp_train.db --step 19 --do toggle-bookmark --do break-on-rule --do inspector-tab('lineage')"
  "rules         mlp_train.db --step 40 --do drawer-tab('rules')"
  "search        lerp.db --step 19 --do search-all('op:EXPAND')"
  "kernels       mlp_train.db --pass 2 --do collapse-kernels"
  "frames        lerp.db --pass 2 --do frame-kernels"
  "run           lerp.db --do run --do against('interp') --do buffer-element('[17,40]')"
  "run-error     lerp.db --do run --do against('interp') --do buffer-mode('difference')"
  "code          lerp.db --pass fix-ups --do drawer-tab('code')"
  "replay        embedding.db --page replay --set FUSE_ARANGE=1"
  "scenarios     mlp_train.db --do scenario('FUSE_CONV_BW=1') --do drawer-tab('scenarios')"
  "scenario-kernels lerp.db --do scenario('DONT_REALIZE_EXPAND=1') --do compare-scenarios"
  "trace         traces/relu.2026-08.pkl --row 2 --pass 18 --step 2"
  "two-traces    traces/relu.2026-08.pkl --against $samples/traces/relu.v0.13.0.pkl"
  "wrong         lerp.db --step 4 --do open-path('/no/such/file.db')"
)
# A look: its name and options.
looks=(
  "light       "
  "dark         --dark"
  "small        --width 1024 --height 640"
  "small-dark   --width 1024 --height 640 --dark"
  "contrast     --high-contrast"
  "contrast-dark --high-contrast --dark"
  "text-150     --text-scale 1.5"
  "text-200     --text-scale 2"
)
for state in "${states[@]}"; do
  read -r name file options <<<"$state"
  for look in "${looks[@]}"; do
    read -r look look_options <<<"$look"
    # shellcheck disable=SC2086 # options are words
    "$fusebox" open "$samples/$file" $options $look_options --screenshot "$folder/$name-$look.png"
  done
done
echo "$((${#states[@]} * ${#looks[@]})) pictures in $folder"
