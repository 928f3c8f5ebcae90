// Describes in words how a CSV file was read.
const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
}

/** `UTF-8, separated by commas`; other encodings are named with `converted`. */
export function writtenAs({ encoding, delimiter }: { encoding: string; delimiter: string }): string {
  const name = encoding === 'windows-1252' ? 'Windows-1252' : encoding.toUpperCase()
  const converted = encoding === 'utf-8' ? name : `${name}, converted`
  return `${converted}, separated by ${DELIMITERS[delimiter] ?? `"${delimiter}"`}`
}
