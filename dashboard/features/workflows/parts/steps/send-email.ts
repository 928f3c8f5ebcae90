import { Mail } from 'lucide-react'
import { valueWords } from '../canvas/value-words.ts'
import { quoted, type StepView } from './step-view.ts'

export const sendEmail: StepView = {
  icon: Mail,
  title: 'Send email',
  summary: ({ to, subject }) => `Send ${quoted(subject)} to ${valueWords(to)}`,
}
