// Where one is among the steps.
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
          <span className={classes.stepName}>{STEP_NAMES[step]}</span>
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

/** One step: its heading takes the focus when it comes. */
export function StepSection({ title, lead, children }: StepSectionProps) {
  return (
    <section className={classes.step} aria-labelledby="step">
      <div>
        <h2 id="step" tabIndex={-1} className={classes.title}>
          {title}
        </h2>
        {lead && <p className={classes.lead}>{lead}</p>}
      </div>
      {children}
    </section>
  )
}
