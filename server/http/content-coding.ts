// Chooses the coding of a response by Accept-Encoding (RFC 9110, section 12.5.3).

/** For clients that accept several codings equally: the cheapest first. */
const CODINGS = ['zstd', 'br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/** Weights by coding, in lower case. A weight that is no number becomes NaN, and its coding is not used. */
function weightsOf(header: string): Map<string, number> {
  const parts = header.toLowerCase().split(',')
  return new Map(
    parts.map((part) => {
      const [coding = '', ...parameters] = part.split(';').map((text) => text.trim())
      const weight = parameters.find((one) => one.startsWith('q='))
      return [coding, weight === undefined ? 1 : Number(weight.slice(2))]
    }),
  )
}

const weightOf = (weights: ReadonlyMap<string, number>, coding: Coding): number =>
  weights.get(coding) ?? weights.get('*') ?? 0

/** The codings that the client names, then the other codings for `*`, the most widely supported first. */
const byPreference = (weights: ReadonlyMap<string, number>): Coding[] => [
  ...CODINGS.filter((coding) => weights.has(coding)),
  ...CODINGS.filter((coding) => !weights.has(coding)).toReversed(),
]

/** Whether the client accepts this coding. */
export const isCodingTaken = (coding: Coding, header: string | undefined): boolean =>
  header !== undefined && weightOf(weightsOf(header), coding) > 0

/** @returns undefined if the client accepts no coding, or prefers the response without one */
export function codingOf(header: string | undefined): Coding | undefined {
  if (header === undefined) return undefined
  const weights = weightsOf(header)
  const least = weights.get('identity') ?? 0
  const taken = byPreference(weights)
    .map((coding) => ({ coding, weight: weightOf(weights, coding) }))
    .filter(({ weight }) => weight > 0 && weight >= least)
    .toSorted((one, other) => other.weight - one.weight)
  return taken[0]?.coding
}
