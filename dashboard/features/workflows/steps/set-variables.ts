import { Variable } from 'lucide-react'
import { namedKeys, type StepView } from './step-view.ts'

export const setVariables: StepView = {
  icon: Variable,
  title: 'Set variables',
  summary: ({ variables }) => {
    const keys = namedKeys(variables)
    return keys ? `Set ${keys}` : 'No variables yet'
  },
}
