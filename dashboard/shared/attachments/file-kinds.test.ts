import { expect, test } from 'vitest'
import { hasThumbnail } from './file-kinds.ts'

test.each([
  ['image/png', 2 * 1024 * 1024, true],
  ['Image/JPEG; x=y', 0, true],
  ['image/png', 2 * 1024 * 1024 + 1, false],
  ['image/tiff', 10, false],
  ['application/pdf', 10, false],
])('%s of %i bytes has a thumbnail: %s', (type, bytes, expected) => {
  expect(hasThumbnail(type, bytes)).toBe(expected)
})
