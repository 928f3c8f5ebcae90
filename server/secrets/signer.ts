// Signs texts that clients must return unchanged, under keys derived from the keys of the installation.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { readSecretsKeys } from './key-files.ts'

export interface Signer {
  /** 43 base64url characters. */
  sign(text: string): string
  isSigned(text: string, signature: string): boolean
}

const KEY_BYTES = 32

const signed = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url')

/** Compares in constant time. */
function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Each purpose has its own keys: a signature for one is not valid for another. The first key signs, all verify. */
export function createSigner(keys: readonly Buffer[], purpose: string): Signer {
  const derived = keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES)))
  const [first] = derived
  if (first === undefined) throw new Error('a signer needs a key')
  return {
    sign: (text) => signed(first, text),
    isSigned: (text, signature) => derived.some((key) => isEqual(signed(key, text), signature)),
  }
}

/** The installation's signer for `purpose`; its keys are read, or created in DATA_DIR, at the first use. */
export function openSigner(config: Pick<Config, 'secretsKeys' | 'dataDir'>, purpose: string): Signer {
  let signer: Signer | undefined
  const opened = () => {
    signer ??= createSigner(readSecretsKeys(config), purpose)
    return signer
  }
  return {
    sign: (text) => opened().sign(text),
    isSigned: (text, signature) => opened().isSigned(text, signature),
  }
}
