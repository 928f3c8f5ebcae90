// How much is wrong with a step, at the end of its node.
import { TriangleAlert } from 'lucide-react'
import type { Problem } from '../../../../../contract/errors.ts'
import { capitalized } from '../../../../shared/api/errors.ts'
import { counted } from '../../../../ui/counted.ts'
import classes from './editor.module.css'

export function ProblemMark({ problems }: { problems: readonly Problem[] }) {
  const text = problems.map(({ message }) => capitalized(message)).join('\n')
  return (
    <span className={classes.problemMark} title={text}>
      <TriangleAlert size={14} aria-hidden />
      <span className="visually-hidden">{counted(problems.length, 'problem')}</span>
    </span>
  )
}
