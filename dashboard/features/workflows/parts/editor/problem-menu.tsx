// Everything wrong with the definition; each leads to where it is fixed.
import { Menu, UnstyledButton } from '@mantine/core'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { Problem } from '../../../../../contract/errors.ts'
import { capitalized } from '../../../../shared/api/errors.ts'
import { counted } from '../../../../ui/counted.ts'
import { problemField, problemPlace } from '../list/problem-place.ts'
import classes from './editor.module.css'
import { useEditor } from './editor-context.ts'
import { stepOfProblem } from './step-tree.ts'

function Item({ problem }: { problem: Problem }) {
  const { definition, select, openPanel } = useEditor()
  const { path, message } = problem
  const field = problemField(path)
  return (
    <Menu.Item
      className={classes.problem}
      onClick={() => {
        select(stepOfProblem(definition, path))
        openPanel(true)
      }}
    >
      <span className={classes.problemPlace}>{problemPlace(definition, path) ?? 'Workflow'}</span>
      <span>{field === undefined ? capitalized(message) : `${capitalized(field)}: ${message}`}</span>
    </Menu.Item>
  )
}

export function ProblemMenu() {
  const { problems, isProblemListOpen, showProblems } = useEditor()
  if (problems.length === 0)
    return (
      <span className={classes.ready}>
        <CircleCheck size={14} aria-hidden />
        <span className={classes.roomy}>No problems</span>
      </span>
    )
  return (
    <Menu opened={isProblemListOpen} onChange={showProblems} position="bottom-start" width={340} withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.problems}>
          <TriangleAlert size={14} aria-hidden />
          {counted(problems.length, 'problem')}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.problemList}>
        <Menu.Label>To fix before it can be switched on</Menu.Label>
        {problems.map((problem) => (
          <Item key={`${problem.path} ${problem.message}`} problem={problem} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
