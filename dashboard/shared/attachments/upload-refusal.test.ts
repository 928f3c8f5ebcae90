import { expect, test } from 'vitest'
import { ApiError, unanswered } from '../api/errors.ts'
import { uploadRefusal } from './upload-refusal.ts'

const problem = (path: string, code: string, message: string) => ({
  error: 'validation_error',
  message,
  details: { errors: [{ path, code, message }] },
})

test.each([
  [
    new ApiError(400, problem('size', 'maximum', 'must be at most 52428800, the largest')),
    /too large: .* 50 MB$/,
  ],
  [
    new ApiError(413, { error: 'payload_too_large', message: 'A file can have at most 1024 bytes' }),
    /too large: .* 1 kB$/,
  ],
  [new ApiError(413, {}), /^This file is too large$/],
  [
    new ApiError(409, { error: 'storage_full', details: { limitBytes: 1024 ** 3, usedBytes: 1024 ** 3 } }),
    /storage is full: 1 GB of 1 GB are used/,
  ],
  [new ApiError(409, { error: 'storage_full' }), /storage is full\. Remove/],
  [unanswered(), /connection was lost/],
  [new ApiError(415, { error: 'unsupported_media_type', message: 'x' }), /not what its name says/],
  [new ApiError(403, {}), /file storage rejected/],
  [new ApiError(409, { error: 'limit_reached', message: 'There are 200 files already' }), /200 files/],
  [new Error('This is no picture'), /no picture/],
])('uploadRefusal returns a text for %s', (error, text) => {
  expect(uploadRefusal(error)).toMatch(text)
})
