const SECRET_NAME =
  /^(?:\.env(?:\.(?!(?:example|sample|template)$).*)?|id_(?:rsa|ed25519|ecdsa|dsa)|.*\.(?:pem|key)|\.npmrc|\.netrc|credentials(?:\.(?:json|ini|toml|yml))?)$/i;
const SECRET_FOLDER = /^\.(?:aws|ssh|gnupg)$/i;

/** Whether a path is called as files with secrets in them usually are. What is in it is not looked at. */
export function hasSecretName(path: string): boolean {
  const segments = path.split(/[\\/]/);
  return SECRET_NAME.test(segments.at(-1) ?? '') || segments.some((segment) => SECRET_FOLDER.test(segment));
}
