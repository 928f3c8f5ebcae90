// A value that is typed as text: what is typed stays as it is, also while it is no value yet.
import { useState } from 'react'

export interface Codec {
  read(text: string): { value: unknown; problem?: never } | { problem: string; value?: never }
  print(value: unknown): string
}

interface Draft {
  text: string
  /** How the value it led to prints: another value came from elsewhere. */
  of: string
}

export function useTyped(value: unknown, codec: Codec, onChange: (value: unknown) => void) {
  const [draft, setDraft] = useState<Draft>()
  const printed = codec.print(value)
  const text = draft?.of === printed ? draft.text : printed
  const type = (typed: string) => {
    const { value: read, problem } = codec.read(typed)
    setDraft({ text: typed, of: problem === undefined ? codec.print(read) : printed })
    if (problem === undefined) onChange(read)
  }
  return { text, type, problem: codec.read(text).problem }
}
