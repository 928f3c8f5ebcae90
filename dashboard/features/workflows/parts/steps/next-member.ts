import { UsersRound } from 'lucide-react'
import type { StepView } from './step-view.ts'

export const nextMember: StepView = {
  icon: UsersRound,
  title: 'Choose next member',
  summary: ({ members }) => {
    const count = Array.isArray(members) ? members.length : 0
    return count === 1 ? 'Choose one member' : `Choose the next of ${count || 'some'} members`
  },
}
