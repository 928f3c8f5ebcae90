// A definition from somewhere: its shape, before it is held against models.
import { Compile } from 'typebox/compile'
import type { Problem } from '../../contract/errors.ts'
import { ReportDefinition } from '../../contract/reports.ts'
import { problemsOf } from '../http/validate.ts'

const shape = Compile(ReportDefinition)

export function readShape(value: unknown): { definition: ReportDefinition } | { problems: Problem[] } {
  if (shape.Check(value)) return { definition: value as ReportDefinition }
  return { problems: problemsOf(shape.Errors(value)) }
}
