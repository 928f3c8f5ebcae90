// What a definition asked before and asks now, where that differs.
import type { Sentence } from '../words/definition-words.ts'

export interface SentenceChange {
  label: Sentence['label']
  /** undefined: the sentence was not there. */
  from: string | undefined
  to: string | undefined
}

export function sentenceChanges(before: readonly Sentence[], after: readonly Sentence[]): SentenceChange[] {
  const labels = [...new Set([...after, ...before].map(({ label }) => label))]
  const wordsOf = (sentences: readonly Sentence[], wanted: Sentence['label']) =>
    sentences.find(({ label }) => label === wanted)?.words
  return labels
    .map((label) => ({ label, from: wordsOf(before, label), to: wordsOf(after, label) }))
    .filter(({ from, to }) => from !== to)
}
