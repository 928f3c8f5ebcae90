// A value that is typed as text. The typed text stays unchanged, also while it is not a valid value.
import { useState } from 'react'

export interface Codec {
  read(text: string): { value: unknown; problem?: never } | { problem: string; value?: never }
  print(value: unknown): string
}

interface Draft {
  text: string
  /** Printed form of the value of the text. If the current value prints differently, it was changed elsewhere. */
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
