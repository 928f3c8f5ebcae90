import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HEAD_BYTES, isShown, matches, recognize } from '../../../server/files/content-type.ts'
import { readType, typeOf } from './file-type.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

test.each([
  ['a WebP saved as .jpg', 'image/jpeg', 'RIFF\n\x00\x00\x00WEBPVP8 ', 'image/webp'],
  ['a JPEG saved as .png', 'image/png', '\xff\xd8\xff\xe0', 'image/jpeg'],
  ['a picture without an ending', '', '\x89PNG\r\n\x1a\n', 'image/png'],
  ['text saved as .png', 'image/png', 'hello', 'application/octet-stream'],
  ['an empty PDF', 'application/pdf', '', 'application/octet-stream'],
  ['anything else', '', 'hello', 'application/octet-stream'],
  ['a PDF', 'application/pdf', '%PDF-1.4', 'application/pdf'],
  ['a drawing that begins like a PDF', 'application/postscript', '%PDF-1.4', 'application/postscript'],
  ['text that begins like a GIF', 'text/plain', 'GIF89a is old', 'text/plain'],
])('%s with the declared type “%s” gets the right type', async (_, told, head, expected) => {
  expect(typeOf(told, bytes(head))).toBe(expected)
  expect(await readType(new File([bytes(head)], 'x', { type: told }))).toBe(expected)
})

test('an unreadable file keeps its declared type', async () => {
  const folder = new File([], 'folder', { type: 'image/png' })
  folder.slice = () => {
    throw new DOMException('unreadable', 'NotReadableError')
  }
  expect(await readType(folder)).toBe('image/png')
})

const BEGINNINGS = [
  '\x89PNG\r\n\x1a\n',
  '\xff\xd8\xff',
  'GIF87a',
  'RIFF',
  'WEBP',
  'ftyp',
  'avif',
  'avis',
  '%PDF-',
  'abcd',
]

test('the service accepts the detected type of every file, and detects the same type itself', () => {
  const piece = fc.oneof(fc.constantFrom(...BEGINNINGS).map(bytes), fc.uint8Array({ maxLength: 8 }))
  const heads = fc.array(piece, { maxLength: 20 }).map((all) => Buffer.concat(all))
  const told = fc.constantFrom('', 'image/png', 'image/jpeg', 'image/avif', 'application/pdf', 'text/csv')
  fc.assert(
    fc.property(told, heads, (type, head) => {
      const sent = typeOf(type, head)
      expect(matches(sent, head.subarray(0, HEAD_BYTES))).toBe(true)
      if (isShown(sent)) expect(recognize(head.subarray(0, HEAD_BYTES))).toBe(sent)
    }),
    { numRuns: 1000 },
  )
})
