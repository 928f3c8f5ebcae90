// The sentences in which two definitions differ, before and after.
import type { Sentence } from '../words/definition-words.ts'

export interface SentenceChange {
  label: Sentence['label']
  /** undefined: there was no such sentence. */
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
