// Unpacks the archives that PostgreSQL's BASE_BACKUP writes: plain ustar with files, folders and links, names shorter
// than 100 bytes.
import { type FileHandle, mkdir, open, symlink } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { BackupError } from './object-store.ts'

const BLOCK = 512

interface Header {
  name: string
  type: string
  size: number
  target: string
}

const text = (block: Buffer, at: number, length: number) => {
  const end = block.indexOf(0, at)
  return block.toString('utf8', at, end < 0 || end > at + length ? at + length : end)
}

/** Octal digits; base 256 where a number is too large for them. */
function size(block: Buffer): number {
  if ((block[124] ?? 0) & 0x80) return Number(block.readBigUInt64BE(128))
  return Number.parseInt(text(block, 124, 12).trim() || '0', 8)
}

/** undefined: the zeros at the end of an archive. */
function headerOf(block: Buffer): Header | undefined {
  if (block.every((byte) => byte === 0)) return undefined
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (Number.parseInt(text(block, 148, 8).trim(), 8) !== sum)
    throw new BackupError('The archive of the database is damaged: the checksum of a header differs')
  const type = String.fromCharCode(block[156] ?? 0)
  return { name: text(block, 0, 100), type, size: size(block), target: text(block, 157, 100) }
}

function placeOf(folder: string, name: string): string {
  if (isAbsolute(name) || name.split('/').includes('..'))
    throw new BackupError(`The archive of the database names a file outside its folder: ${name}`)
  return join(folder, name)
}

/** Makes what the header describes. @returns the file, when bytes follow */
async function begin(folder: string, { name, type, target }: Header): Promise<FileHandle | undefined> {
  const path = placeOf(folder, name)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  if (type === '5') await mkdir(path, { recursive: true, mode: 0o700 })
  else if (type === '2') await symlink(target, path)
  else if (type === '0' || type === '\0') return open(path, 'w', 0o600)
  else throw new BackupError(`The archive of the database has an entry of an unknown kind: ${name}`)
  return undefined
}

/** @returns how many files */
export async function extractTar(stream: AsyncIterable<Buffer>, folder: string): Promise<number> {
  let [files, left, padding] = [0, 0, 0]
  let pending = Buffer.alloc(0)
  let file: FileHandle | undefined
  const endFile = async () => {
    await file?.close()
    file = undefined
  }
  /** @returns how many bytes of the chunk it used */
  const take = async (chunk: Buffer): Promise<number> => {
    if (left > 0) {
      const part = chunk.subarray(0, left)
      await file?.writeFile(part)
      left -= part.length
      if (left === 0) await endFile()
      return part.length
    }
    if (padding > 0) {
      const skipped = Math.min(padding, chunk.length)
      padding -= skipped
      return skipped
    }
    const part = chunk.subarray(0, BLOCK - pending.length)
    pending = Buffer.concat([pending, part])
    if (pending.length < BLOCK) return part.length
    const header = headerOf(pending)
    pending = Buffer.alloc(0)
    if (header === undefined) return part.length
    file = await begin(folder, header)
    if (file) files++
    left = header.size
    padding = (BLOCK - (header.size % BLOCK)) % BLOCK
    if (left === 0) await endFile()
    return part.length
  }
  try {
    for await (const chunk of stream)
      for (let at = 0; at < chunk.length; ) at += await take(chunk.subarray(at))
  } finally {
    await endFile()
  }
  if (left > 0 || pending.length > 0) throw new BackupError('The archive of the database is cut off')
  return files
}
