/** Takes the key in use, and anything that looks like one, out of a text. Servers and proxies sometimes echo them. */
export function withoutSecrets(text: string, key: string | undefined): string {
  let clean = text;
  if (key !== undefined && key.length >= 6) clean = clean.replaceAll(key, '[key]');
  return clean
    .replace(/sk-ant-[\w-]+/gi, 'sk-ant-[key]')
    .replace(/\b(bearer|x-api-key:?)\s+[\w.~+/=-]{6,}/gi, '$1 [key]')
    .replace(/\/\/[^\s/@]+@/g, '//');
}
