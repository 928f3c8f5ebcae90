// FUZZ_REQUESTS and FUZZ_SEED: how many requests the fuzz tests send, and from which seed they are made.
interface FuzzOptions {
  requests: number
  seed: number
}

const DEFAULTS = { requests: 20_000, seed: 20_261_120 }

function wholeNumber(name: string, fallback: number): number {
  const text = process.env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`${name} must be a whole number, not "${text}"`)
  return value
}

export const readFuzzOptions = (): FuzzOptions => ({
  requests: wholeNumber('FUZZ_REQUESTS', DEFAULTS.requests),
  seed: wholeNumber('FUZZ_SEED', DEFAULTS.seed),
})
