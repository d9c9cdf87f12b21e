/** For bash: closes all descriptors but the first three. Steward may have been started with open ones. */
export const CLOSING_DESCRIPTORS =
  'cd /proc/self/fd && for fd in *; do if ((fd > 2)) && [[ -e $fd ]]; then exec {fd}>&-; fi; done';
