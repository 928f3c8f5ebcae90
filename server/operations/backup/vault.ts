// Objects of a backup in the form of the store: compressed, and encrypted if there is a key. An encrypted object can
// be opened only under the name with which it was stored. Other objects have their name in a frame that decompression
// skips.
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { type ByteBox, createByteBox, UnreadableSecret } from '../../secrets/box.ts'
import { createSigner, type Signer } from '../../secrets/signer.ts'
import { BackupError, type ObjectStore } from './object-store.ts'

export interface Stored {
  /** Bytes in the store. */
  bytes: number
  sha256: string
  /** false: `ifAbsent` was set, and an object of this name was kept. */
  isNew: boolean
}

export interface Vault {
  readonly store: ObjectStore
  readonly isEncrypted: boolean
  /** Signs what is not encrypted; undefined: there is no key. */
  readonly signer: Signer | undefined
  put(name: string, bytes: Buffer, options?: { ifAbsent?: true }): Promise<Stored>
  /** undefined: there is no object. @throws BackupError if it is damaged, or encrypted with another key */
  get(name: string, expected?: { sha256: string }): Promise<Buffer | undefined>
  /** Like `get`, but returns the readable part of an object that was cut off. */
  getTorn(name: string): Promise<{ bytes: Buffer; isTorn: boolean } | undefined>
}

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
const COMPRESSION = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }
/** Decompresses the complete part, without an error at the end of the input. */
const TO_THE_END = { finishFlush: constants.ZSTD_e_flush }

const damaged = (name: string, why: string, cause?: unknown) =>
  new BackupError(`${name} of the backup is damaged (${why}): restore another backup`, { cause })

/** A skippable frame of Zstandard: this number, then the length of the content, then the content. */
const FRAME = 0x184d2a5a
const FRAME_HEAD = 8

function framed(name: string, packed: Buffer): Buffer {
  const text = Buffer.from(name)
  const head = Buffer.alloc(FRAME_HEAD)
  head.writeUInt32LE(FRAME, 0)
  head.writeUInt32LE(text.length, 4)
  return Buffer.concat([head, text, packed])
}

/** Removes the frame, which objects of earlier versions lack. @throws BackupError if the frame has another name */
function unframed(bytes: Buffer, name: string): Buffer {
  if (bytes.length < FRAME_HEAD || bytes.readUInt32LE(0) !== FRAME) return bytes
  const end = FRAME_HEAD + bytes.readUInt32LE(4)
  const found = bytes.toString('utf8', FRAME_HEAD, end)
  if (found !== name) throw damaged(name, `it is the object ${JSON.stringify(found)}`)
  return bytes.subarray(end)
}

/** The first byte of encrypted objects. The first byte of Zstandard differs. */
const SEALED = 1

function opener(box: ByteBox | undefined, name: string) {
  return (bytes: Buffer): Buffer => {
    if (box === undefined && bytes[0] === SEALED)
      throw new BackupError(
        `${name} is encrypted, and BACKUP_KEY is not set: set it to the key that the backup was made with`,
      )
    if (box === undefined) return unframed(bytes, name)
    try {
      return box.open(bytes, name)
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error
      throw new BackupError(
        `${name} cannot be decrypted, because it is damaged, or was not encrypted with this BACKUP_KEY: check the key, or use another backup`,
        { cause: error },
      )
    }
  }
}

async function readTorn(sealed: Buffer, name: string, box: ByteBox | undefined) {
  try {
    const packed = opener(box, name)(sealed)
    const whole = await decompress(packed).catch(() => undefined)
    if (whole) return { bytes: whole, isTorn: false }
    return { bytes: await decompress(packed, TO_THE_END), isTorn: true }
  } catch {
    // An encrypted object that is cut off cannot be decrypted at all.
    return { bytes: Buffer.alloc(0), isTorn: true }
  }
}

/** @param keys the first encrypts, all decrypt; undefined: nothing is encrypted */
export function openVault(store: ObjectStore, keys: readonly Buffer[] | undefined): Vault {
  const box = keys && createByteBox(keys)
  return {
    store,
    isEncrypted: box !== undefined,
    signer: keys && createSigner(keys, 'backup_manifest'),
    async put(name, bytes, options) {
      const packed = await compress(bytes, COMPRESSION)
      const sealed = box ? box.seal(packed, name) : framed(name, packed)
      const isNew = await store.put(name, sealed, options)
      return { bytes: sealed.length, sha256: hash('sha256', sealed), isNew }
    },
    async get(name, expected) {
      const sealed = await store.get(name)
      if (sealed === undefined) return undefined
      if (expected && hash('sha256', sealed) !== expected.sha256) throw damaged(name, 'its checksum differs')
      const packed = opener(box, name)(sealed)
      return decompress(packed).catch((error: unknown) => {
        throw damaged(name, 'it cannot be decompressed', error)
      })
    },
    async getTorn(name) {
      const sealed = await store.get(name)
      return sealed && readTorn(sealed, name, box)
    },
  }
}
