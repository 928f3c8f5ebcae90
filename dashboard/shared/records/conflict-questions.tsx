// Shows questions about conflicts on top of the pages, one after the other. This file does not load the dialog itself,
// so that the frame stays small.
import { Fragment, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { Choice } from '../../ui/conflict-choice.tsx'
import { requiredContext } from '../../ui/required-context.ts'

type Decide = (choice: Choice) => void
type Question = (decide: Decide) => ReactNode

/** `useAsk` adds a question after those that wait. */
const [AskContext, useAsk] = requiredContext<(question: Question) => Promise<Choice>>('ConflictQuestions')

export { useAsk }

interface Asked {
  id: number
  node: ReactNode
}

/**
 * Questions that are open when the page is left are decided for the stored value, because edits wait for the decision.
 */
function useDecidedAtEnd() {
  const open = useRef(new Set<Decide>())
  useEffect(() => {
    const waiting = open.current
    return () => {
      for (const decide of waiting) decide('theirs')
    }
  }, [])
  return open.current
}

export function ConflictQuestions({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<readonly Asked[]>([])
  const open = useDecidedAtEnd()
  const last = useRef(0)
  const ask = useCallback(
    (question: Question) =>
      new Promise<Choice>((resolve) => {
        const id = ++last.current
        const decide = (choice: Choice) => {
          open.delete(decide)
          setAsked((questions) => questions.filter((one) => one.id !== id))
          resolve(choice)
        }
        open.add(decide)
        setAsked((questions) => [...questions, { id, node: question(decide) }])
      }),
    [open],
  )
  const [first] = asked
  return (
    <AskContext.Provider value={ask}>
      {children}
      {first && <Fragment key={first.id}>{first.node}</Fragment>}
    </AskContext.Provider>
  )
}
