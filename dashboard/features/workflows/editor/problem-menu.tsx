// The problems of the definition. Each links to the field that fixes it.
import { Group, Menu, Text, UnstyledButton } from '@mantine/core'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { counted } from '../../../../contract/counted.ts'
import type { Problem } from '../../../../contract/errors.ts'
import { capitalized } from '../../../shared/api/errors.ts'
import { plainTemplates } from '../canvas/value-words.ts'
import { problemField, problemPlace } from '../list/problem-place.ts'
import { useEditor } from './editor-context.ts'
import { stepOfProblem } from './step-tree.ts'

function Item({ problem }: { problem: Problem }) {
  const { definition, select, openPanel } = useEditor()
  const { path } = problem
  const message = plainTemplates(problem.message)
  const field = problemField(path)
  return (
    <Menu.Item
      onClick={() => {
        select(stepOfProblem(definition, path))
        openPanel(true)
      }}
    >
      <strong>{problemPlace(definition, path) ?? 'Workflow'}</strong>
      <div>{field === undefined ? capitalized(message) : `${capitalized(field)}: ${message}`}</div>
    </Menu.Item>
  )
}

export function ProblemMenu() {
  const { problems, isProblemListOpen, showProblems } = useEditor()
  if (problems.length === 0)
    return (
      <Group gap={6} px={8} c="dimmed" fz="sm">
        <CircleCheck size={14} aria-hidden />
        <Text span inherit visibleFrom="sm">
          No problems
        </Text>
      </Group>
    )
  return (
    <Menu opened={isProblemListOpen} onChange={showProblems} position="bottom-start" width={340} withinPortal>
      <Menu.Target>
        <UnstyledButton className="row gap-6 danger rounded hoverable" fz="sm" px={8} py={2}>
          <TriangleAlert size={14} aria-hidden />
          {counted(problems.length, 'problem')}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className="scroll" mah="60vh">
        <Menu.Label>To fix before it can be switched on</Menu.Label>
        {problems.map((problem) => (
          <Item key={`${problem.path} ${problem.message}`} problem={problem} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
