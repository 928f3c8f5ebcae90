import { UsersRound } from 'lucide-react'
import { counted } from '../../../../contract/counted.ts'
import type { StepView } from './step-view.ts'

export const nextMember: StepView = {
  icon: UsersRound,
  title: 'Choose next member',
  summary: ({ members }) => {
    const count = Array.isArray(members) ? members.length : 0
    if (count === 1) return 'Choose one member'
    return `Choose the next of ${count === 0 ? 'some members' : counted(count, 'member')}`
  },
}
