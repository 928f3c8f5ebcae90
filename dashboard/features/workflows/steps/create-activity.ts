import { CalendarPlus } from 'lucide-react'
import { oneOf, slugWords } from '../node-names.ts'
import { isMissing, quoted, type StepView } from './step-view.ts'

export const createActivity: StepView = {
  icon: CalendarPlus,
  title: 'Create activity',
  summary: ({ type = 'note', title }) => {
    const what = `Create ${oneOf(slugWords(String(type)))}`
    return isMissing(title) ? what : `${what} ${quoted(title)}`
  },
}
