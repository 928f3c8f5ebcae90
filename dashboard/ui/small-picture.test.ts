import { expect, test } from 'vitest'
import { initialsOf } from './avatar.tsx'
import { drawingOf } from './small-picture.ts'

test.each([
  [
    { width: 100, height: 100 },
    { x: 0, y: 0, width: 256, height: 256 },
  ],
  [
    { width: 200, height: 100 },
    { x: -128, y: 0, width: 512, height: 256 },
  ],
  [
    { width: 100, height: 200 },
    { x: 0, y: -128, width: 256, height: 512 },
  ],
])('cover: the middle of a picture of %j fills a square', (size, box) => {
  expect(drawingOf(size, 'cover')).toEqual({ width: 256, height: 256, box })
})

test.each([
  [
    { width: 200, height: 100 },
    { width: 512, height: 256 },
  ],
  [
    { width: 400, height: 100 },
    { width: 512, height: 128 },
  ],
  [
    { width: 1, height: 4 },
    { width: 64, height: 256 },
  ],
  [
    { width: 9000, height: 1 },
    { width: 512, height: 1 },
  ],
])('contain: a logo of %j keeps its aspect ratio', (size, whole) => {
  expect(drawingOf(size, 'contain')).toEqual({ ...whole, box: { x: 0, y: 0, ...whole } })
})

test.each([
  ['Ada Lovelace', 'A', 'AL'],
  ['ada', 'A', 'A'],
  ['Ada Augusta King-Noel', 'A', 'AK'],
  ['  Müller & Söhne ', 'M', 'MS'],
  ['👩‍🚀 2 go', '2', '2G'],
  ['', '', ''],
])('the initials of “%s” are %s and %s', (name, small, large) => {
  expect([initialsOf(name, true), initialsOf(name, false)]).toEqual([small, large])
})
