/** What each shell reads, as in `source <(ctx completion bash)`. The words come from ctx itself, so that names complete too. */
export const scripts: Readonly<Record<string, string>> = {
  bash: `_ctx() {
  local IFS=$'\\n'
  COMPREPLY=($(ctx completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ \${COMPREPLY[0]} == */ ]] && compopt -o nospace
}
complete -F _ctx ctx
`,
  zsh: `#compdef ctx
_ctx() {
  local -a found
  found=("\${(@f)$(ctx completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
compdef _ctx ctx
`,
  fish: `complete -c ctx -f -a '(ctx completion words -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
};
