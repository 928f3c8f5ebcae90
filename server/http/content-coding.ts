// Accept-Encoding (RFC 9110, section 12.5.3): the coding in which a response is sent.

/** For clients that take several equally: the one that costs the least first. */
const CODINGS = ['zstd', 'br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/** By coding, in lower case. What is no number is no coding that can be used. */
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

/** The codings that the client names, then those that `*` means. Of the latter, most clients can read the first. */
const byPreference = (weights: ReadonlyMap<string, number>): Coding[] => [
  ...CODINGS.filter((coding) => weights.has(coding)),
  ...CODINGS.filter((coding) => !weights.has(coding)).toReversed(),
]

/** Whether a response may be in this coding. */
export const isCodingTaken = (coding: Coding, header: string | undefined): boolean =>
  header !== undefined && weightOf(weightsOf(header), coding) > 0

/** @returns undefined where the client takes none, or prefers the response as it is */
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
