import { Mail } from 'lucide-react'
import { valueWords } from '../canvas/value-words.ts'
import { type Config, isMissing, quoted, type StepView } from './step-view.ts'

function summary({ to, subject }: Config): string {
  if (isMissing(to)) return isMissing(subject) ? 'Nothing to send yet' : `Send ${quoted(subject)}`
  return isMissing(subject) ? `Send to ${valueWords(to)}` : `Send ${quoted(subject)} to ${valueWords(to)}`
}

export const sendEmail: StepView = {
  icon: Mail,
  title: 'Send email',
  summary,
}
