import { expect, test } from 'vitest'
import { initialsOf } from './avatar.tsx'
import { placeIn } from './square-picture.ts'

test.each([
  ['cover', { width: 100, height: 100 }, { x: 0, y: 0, width: 256, height: 256 }],
  ['cover', { width: 200, height: 100 }, { x: -128, y: 0, width: 512, height: 256 }],
  ['cover', { width: 100, height: 200 }, { x: 0, y: -128, width: 256, height: 512 }],
  ['contain', { width: 200, height: 100 }, { x: 0, y: 64, width: 256, height: 128 }],
  ['contain', { width: 1, height: 4 }, { x: 96, y: 0, width: 64, height: 256 }],
] as const)('%s places %j', (fit, size, box) => {
  expect(placeIn(256, size, fit)).toEqual(box)
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
