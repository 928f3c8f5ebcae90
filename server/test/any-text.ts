// Any text, for property tests.
import fc from 'fast-check'

function codePointOf(character: unknown): number {
  const [only, ...more] = typeof character === 'string' ? character : []
  if (only === undefined || more.length > 0) throw new Error('not one character')
  return only.codePointAt(0) ?? 0
}

/** All but surrogates. The unit "binary" of fast-check has them too, with a table of a million texts per process. */
const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint), codePointOf)

/** @param maxLength in characters */
export const anyText = (maxLength?: number) =>
  fc.string({ unit: anyCharacter, ...(maxLength !== undefined && { maxLength }) })
