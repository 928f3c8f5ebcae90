// Values of secrets must not be read anywhere: what comes back from outside may hold them.

const MASK = '••••'

/** As they may be written in an answer: plain, inside JSON text, inside an address, as credentials are. */
const formsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret.toWellFormed()),
  Buffer.from(secret).toString('base64'),
]

/** @param secrets the values @returns what puts a mask in the place of each, whatever way it is written */
export function maskerOf(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.flatMap(formsOf))].filter((form) => form !== '')
  // The longest first: one secret may be the beginning of another.
  const sorted = forms.toSorted((a, b) => b.length - a.length)
  return (text) => sorted.reduce((masked, form) => masked.replaceAll(form, MASK), text)
}

/** Texts of a config that are not the same once secrets are filled in: functions may have changed a secret. */
export function* secretTexts(real: unknown, masked: unknown): Generator<string> {
  if (typeof real === 'string') {
    if (real !== masked) yield real
  } else if (typeof real === 'object' && real !== null) {
    const others = (typeof masked === 'object' && masked !== null ? masked : {}) as Record<string, unknown>
    for (const [key, value] of Object.entries(real)) yield* secretTexts(value, others[key])
  }
}
