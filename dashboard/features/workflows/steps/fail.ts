import { OctagonX } from 'lucide-react'
import { named, type StepView } from './step-view.ts'

export const fail: StepView = {
  icon: OctagonX,
  title: 'Fail',
  summary: ({ message }) => (message ? named(message) : 'End the run as failed'),
  endsRun: true,
}
