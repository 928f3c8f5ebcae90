import { CalendarPlus } from 'lucide-react'
import { oneOf, slugWords } from '../../node-names.ts'
import { quoted, type StepView } from './step-view.ts'

export const createActivity: StepView = {
  icon: CalendarPlus,
  title: 'Create activity',
  summary: ({ type = 'note', title }) => `Create ${oneOf(slugWords(String(type)))} ${quoted(title)}`,
}
