// Where the bytes of files lie: on a disk of this installation, or in a store that speaks the protocol of S3.
import type { Readable } from 'node:stream'
import type { ByteRange } from './range.ts'

/** What a signed address is signed for. */
export interface Upload {
  organizationId: string
  fileId: string
  key: string
  /** Unix seconds. */
  expires: number
  /** What the PUT must say; undefined: it is free. */
  contentType: string | undefined
  size: number | undefined
}

export interface PresignedPut {
  url: string
  /** Headers that the PUT must have; its Content-Type is free. */
  headers: Readonly<Record<string, string>>
}

/** What the store says of an object. */
export interface StoreObject {
  size: number
  contentType: string
  etag: string
}

export interface StoredObjectRef {
  key: string
  /** Only these bytes of the object are wanted, such as those that were checked. */
  etag: string | null
}

interface Storage {
  /** The address that takes the bytes of one upload. */
  presignPut(upload: Upload): Promise<PresignedPut>
  /** undefined: it is not there. @throws 503 unavailable */
  get(object: StoredObjectRef, range?: ByteRange): Promise<Readable | undefined>
  /** What is not there counts as deleted. @throws 503 unavailable */
  delete(key: string): Promise<void>
  /** What keeps it from being used, in words; undefined: nothing. */
  check(): Promise<string | undefined>
  close(): Promise<void>
}

/** A file that is being uploaded; it cannot be read yet. */
export interface FileDraft {
  /** Takes the next of its bytes, which must not change until it has. @throws 503 unavailable */
  write(pieces: readonly Buffer[]): Promise<void>
  /** Resolves once all of it is on the disk. @throws 503 unavailable */
  finish(): Promise<void>
  /** Moves it to its final place. The caller holds the lock of the file's row: what is there already is a leftover. */
  publish(key: string): Promise<void>
  /** Takes away what is left of it; after publish nothing is. */
  discard(): Promise<void>
}

/** Uploads come to the service itself. */
export interface DiskStorage extends Storage {
  readonly kind: 'disk'
  isSigned(upload: Omit<Upload, 'key'>, signature: string): boolean
  /** @param bytes that the file has at least; undefined: not known @throws 503 unavailable */
  draft(bytes?: number): Promise<FileDraft>
  /** Deletes drafts without a write since `before`. @returns how many */
  sweepDrafts(before: Date): Promise<number>
}

/** Uploads go to the store, which is asked afterwards what came. */
export interface S3Storage extends Storage {
  readonly kind: 's3'
  /** Where browsers put files to: scheme, host and port. */
  readonly origin: string
  /** undefined: it is not there. @throws 503 unavailable */
  head(key: string): Promise<StoreObject | undefined>
}

export type FileStorage = DiskStorage | S3Storage
