// Checks the shape of a definition, before it is checked against models.
import type { Problem } from '../../contract/errors.ts'
import { ReportDefinition } from '../../contract/reports.ts'
import { shapeCheck } from '../http/validate.ts'

const shapeProblems = shapeCheck(ReportDefinition, 'The definition')

export function readShape(value: unknown): { definition: ReportDefinition } | { problems: Problem[] } {
  const problems = shapeProblems(value)
  return problems.length > 0 ? { problems } : { definition: value as ReportDefinition }
}
