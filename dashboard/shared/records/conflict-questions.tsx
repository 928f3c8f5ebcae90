// Where questions about conflicts are asked: around the pages. The frame has no need of what a question is made of.
import { createContext, type ReactNode, useCallback, useState } from 'react'
import type { Choice } from '../../ui/conflict-choice.tsx'

type Question = (decide: (choice: Choice) => void) => ReactNode

export const AskContext = createContext<((question: Question) => Promise<Choice>) | undefined>(undefined)

export function ConflictQuestions({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<ReactNode>()
  const ask = useCallback(
    (question: Question) =>
      new Promise<Choice>((resolve) => {
        const decide = (choice: Choice) => {
          setAsked(undefined)
          resolve(choice)
        }
        setAsked(question(decide))
      }),
    [],
  )
  return (
    <AskContext.Provider value={ask}>
      {children}
      {asked}
    </AskContext.Provider>
  )
}
