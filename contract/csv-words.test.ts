import { expect, test } from 'vitest'
import { writtenAs } from './csv-words.ts'

test.each([
  ['utf-8', ',', 'UTF-8, separated by commas'],
  ['windows-1252', ';', 'Windows-1252, converted, separated by semicolons'],
  ['utf-16le', '\t', 'UTF-16LE, converted, separated by tabs'],
  ['utf-8', '|', 'UTF-8, separated by vertical bars'],
  ['utf-8', '~', 'UTF-8, separated by "~"'],
])('describes %s with %j', (encoding, delimiter, text) => {
  expect(writtenAs({ encoding, delimiter })).toBe(text)
})
