import { expect, it } from 'vitest'
import type { Sentence } from '../words/definition-words.ts'
import { sentenceChanges } from './sentence-changes.ts'

const show: Sentence = { label: 'Show', words: 'the number of deals' }
const won: Sentence = { label: 'Where', words: 'stage is Won' }
const lost: Sentence = { label: 'Where', words: 'stage is Lost' }

it.each([
  ['no change', [show, won], [show, won], []],
  ['a changed sentence', [show, won], [show, lost], [{ label: 'Where', from: won.words, to: lost.words }]],
  ['an added sentence', [show], [show, won], [{ label: 'Where', from: undefined, to: won.words }]],
  ['a removed sentence', [show, won], [show], [{ label: 'Where', from: won.words, to: undefined }]],
] as const)('returns %s', (_, before, after, changes) => {
  expect(sentenceChanges(before, after)).toEqual(changes)
})
