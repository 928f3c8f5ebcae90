// Encrypts secrets at rest. Opening one requires a key of the installation and the context it was sealed with.
import { createCipheriv, createDecipheriv, createHash, type DecipherGCM, randomBytes } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { readSecretsKeys } from './key-files.ts'

export interface SecretBox {
  /** `about`: the context, such as `webhook_secret:<org>:<endpoint id>`; opening requires the same one. */
  seal(text: string, about: string): Buffer
  /** @throws UnreadableSecret when the key is not configured, the context is another one, or the bytes were changed */
  open(sealed: Buffer, about: string): string
}

export interface ByteBox {
  seal(bytes: Buffer, about: string): Buffer
  /** @throws UnreadableSecret as a SecretBox does */
  open(sealed: Buffer, about: string): Buffer
}

export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret'
}

// version, key id, nonce, ciphertext, tag. The key id selects the key after a rotation, without trying all keys.
const VERSION = 1
const ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16
const NONCE_AT = 1 + ID_BYTES
const TEXT_AT = NONCE_AT + NONCE_BYTES

const CIPHER = 'aes-256-gcm'
const idOf = (key: Buffer) => createHash('sha256').update(key).digest().subarray(0, ID_BYTES)

function seal(key: Buffer, bytes: Buffer, about: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(about))
  const sealed = [cipher.update(bytes), cipher.final()]
  return Buffer.concat([Buffer.of(VERSION), idOf(key), nonce, ...sealed, cipher.getAuthTag()])
}

function decipher(key: Buffer, sealed: Buffer, about: string): DecipherGCM {
  const nonce = sealed.subarray(NONCE_AT, TEXT_AT)
  return createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(about))
    .setAuthTag(sealed.subarray(-TAG_BYTES))
}

function open(key: Buffer, sealed: Buffer, about: string): Buffer {
  try {
    const opened = decipher(key, sealed, about)
    const bytes = opened.update(sealed.subarray(TEXT_AT, -TAG_BYTES))
    return Buffer.concat([bytes, opened.final()])
  } catch {
    throw new UnreadableSecret('the secret was changed, or encrypted for another row')
  }
}

/** The first key seals, all open. */
export function createByteBox(keys: readonly Buffer[]): ByteBox {
  const [first] = keys
  if (first === undefined) throw new Error('a secret box requires a key')
  const byId = new Map(keys.map((key) => [idOf(key).toString('hex'), key]))
  return {
    seal: (bytes, about) => seal(first, bytes, about),
    open(sealed, about) {
      if (sealed.length < TEXT_AT + TAG_BYTES || sealed[0] !== VERSION)
        throw new UnreadableSecret('this is not an encrypted secret')
      const key = byId.get(sealed.toString('hex', 1, NONCE_AT))
      if (key === undefined)
        throw new UnreadableSecret('the secret was encrypted with a key that is not available')
      return open(key, sealed, about)
    },
  }
}

export function createSecretBox(keys: readonly Buffer[]): SecretBox {
  const box = createByteBox(keys)
  return {
    seal: (text, about) => box.seal(Buffer.from(text), about),
    open: (sealed, about) => box.open(sealed, about).toString(),
  }
}

/**
 * The box of this installation. Its key is read, or created in DATA_DIR, at the first use: a command that needs no
 * key creates no key file.
 */
export function openSecretBox(config: Pick<Config, 'secretsKeys' | 'dataDir'>): SecretBox {
  let box: SecretBox | undefined
  const opened = () => {
    box ??= createSecretBox(readSecretsKeys(config))
    return box
  }
  return {
    seal: (text, about) => opened().seal(text, about),
    open: (sealed, about) => opened().open(sealed, about),
  }
}
