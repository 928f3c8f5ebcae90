// Environment variables as numbers, choices and URLs: what is not valid names the variable and what is allowed.
import { parseKeys } from './secrets/keys.ts'

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export type Env = Readonly<Record<string, string | undefined>>

/** @throws ConfigError */
export function integer(env: Env, name: string, fallback: number, [min, max]: [number, number]): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}"`)
}

/** @throws ConfigError */
export function choice<Value extends string>(
  env: Env,
  name: string,
  values: readonly Value[],
  fallback: Value,
): Value {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = values.find((one) => one === text)
  if (value !== undefined) return value
  throw new ConfigError(`${name} must be one of ${values.join(', ')}, not "${text}"`)
}

/** Without slashes at its end. @throws ConfigError */
export function url(env: Env, name: string, protocols: string[]): string | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text.replace(/\/+$/, '')
  throw new ConfigError(`${name} must be a URL that starts with ${protocols.join(' or ')}`)
}

/** Keys of 32 bytes. The value is not shown: it may be a key with one letter missing. @throws ConfigError */
export function keys(env: Env, name: string): Buffer[] | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  const parsed = parseKeys(text)
  if (parsed !== undefined) return parsed
  throw new ConfigError(
    `${name} must be 32 random bytes in base64, as \`openssl rand -base64 32\` prints them; several are separated by commas`,
  )
}
