// The storage for the bytes of files: a disk of this installation, or a store with the S3 protocol.
import type { Readable } from 'node:stream'
import type { ByteRange } from './range.ts'

/** The data that a signed address is signed for. */
export interface Upload {
  organizationId: string
  fileId: string
  key: string
  /** Unix seconds. */
  expires: number
  /** The Content-Type and size that the PUT must have; undefined: any. */
  contentType: string | undefined
  size: number | undefined
}

export interface PresignedPut {
  url: string
  /** Headers that the PUT must have. Without a Content-Type here, the PUT may have any. */
  headers: Readonly<Record<string, string>>
}

export interface StoreObject {
  size: number
  contentType: string
  etag: string
}

export interface StoredObjectRef {
  key: string
  /** The version to read, such as the one that was checked; null for any. */
  etag: string | null
}

interface Storage {
  /** The address that accepts the bytes of one upload. */
  presignPut(upload: Upload): Promise<PresignedPut>
  /** @returns undefined if the object does not exist @throws 503 unavailable */
  get(object: StoredObjectRef, range?: ByteRange): Promise<Readable | undefined>
  /** @throws 503 unavailable */
  exists(key: string): Promise<boolean>
  /** Succeeds if the object does not exist. @throws 503 unavailable */
  delete(key: string): Promise<void>
  /** Describes why the storage cannot be used; undefined if it can. */
  check(): Promise<string | undefined>
  close(): Promise<void>
}

/** A file that is being uploaded; it cannot be read yet. */
export interface FileDraft {
  /** Writes the next bytes, which must not change until it resolves. @throws 503 unavailable */
  write(pieces: readonly Buffer[]): Promise<void>
  /** Resolves when the whole file is on the disk. @throws 503 unavailable */
  finish(): Promise<void>
  /** Moves the file to its final path. The caller holds the lock of its row: an existing file there is a leftover. */
  publish(key: string): Promise<void>
  /** Deletes the draft; does nothing after `publish`. */
  discard(): Promise<void>
}

/** For uploads to the service itself. */
export interface DiskStorage extends Storage {
  readonly kind: 'disk'
  isSigned(upload: Omit<Upload, 'key'>, signature: string): boolean
  /** @param bytes the least size of the file; undefined if unknown @throws 503 unavailable */
  draft(bytes?: number): Promise<FileDraft>
  /** Deletes drafts without a write since `before`. @returns how many */
  sweepDrafts(before: Date): Promise<number>
}

/** For uploads to the store: the service checks afterwards what arrived. */
export interface S3Storage extends Storage {
  readonly kind: 's3'
  /** The origin that browsers upload to: scheme, host and port. */
  readonly origin: string
  /** @returns undefined if the object does not exist @throws 503 unavailable */
  head(key: string): Promise<StoreObject | undefined>
}

export type FileStorage = DiskStorage | S3Storage
