// The list of steps, with the current one marked.
import { Box, Stack } from '@mantine/core'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { STEP_NAMES, STEPS, type Step } from '../steps.ts'
import classes from './steps.module.css'

export function StepList({ current }: { current: Step }) {
  const at = STEPS.indexOf(current)
  return (
    <ol className={classes.steps} aria-label="Steps">
      {STEPS.map((step, index) => (
        <li
          key={step}
          data-state={index < at ? 'done' : index === at ? 'current' : 'ahead'}
          aria-current={index === at ? 'step' : undefined}
        >
          <span className={classes.number}>
            {index < at ? <Check size={12} aria-hidden /> : <span>{index + 1}</span>}
          </span>
          <span className={index === at ? undefined : 'hidden-narrow'}>{STEP_NAMES[step]}</span>
          {index < at && <span className="visually-hidden">, done</span>}
        </li>
      ))}
    </ol>
  )
}

interface StepSectionProps {
  title: string
  lead?: ReactNode
  children: ReactNode
}

/** A step. Its heading gets the focus when the step opens. */
export function StepSection({ title, lead, children }: StepSectionProps) {
  return (
    <Stack component="section" gap={24} aria-labelledby="step">
      <div>
        <h2 id="step" tabIndex={-1} className="title" style={{ outline: 'none' }}>
          {title}
        </h2>
        {lead && (
          <Box component="p" className="breakable muted" mt={4}>
            {lead}
          </Box>
        )}
      </div>
      {children}
    </Stack>
  )
}

interface StepTableProps {
  title: string
  maxHeight?: number
  children: ReactNode
}

/** A heading and a table, which scrolls separately and can be focused by keyboard. */
export function StepTable({ title, maxHeight, children }: StepTableProps) {
  return (
    <div>
      <Box component="h3" mb={8}>
        {title}
      </Box>
      <Box
        component="section"
        className="bordered rounded scroll"
        mah={maxHeight}
        aria-label={title}
        tabIndex={0}
      >
        {children}
      </Box>
    </div>
  )
}
