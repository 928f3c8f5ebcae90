// Parts of a form: the offer to restore a draft, the fields, and the buttons with the error of a refusal above them.
import { Button, type ButtonProps, Group, Kbd, Stack, type StackProps, Text } from '@mantine/core'
import { type ComponentProps, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { SAVE_KEYS } from '../../ui/save-keys.ts'
import { hasProblems } from '../api/errors.ts'
import { FormError } from '../form-error.tsx'
import type { DataForm, Offer } from './use-data-form.ts'

const FIELD = 'input:not([type=hidden], [type=radio], [type=checkbox]), textarea'

/** Moves the focus to the first field of the form, because the offer with the focus is removed. */
const thenFocus =
  (act: () => void) =>
  ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const form = currentTarget.closest('form')
    act()
    requestAnimationFrame(() => form?.querySelector<HTMLElement>(FIELD)?.focus())
  }

function DraftOffer({ onRestore, onDiscard }: Offer) {
  return (
    <section className="row wrap gap-8 box sunken" aria-label="Draft">
      <Text flex={1}>You have an unsaved draft.</Text>
      <Group gap="xs" wrap="nowrap">
        <Button variant="subtle" color="gray" onClick={thenFocus(onDiscard)}>
          Discard
        </Button>
        <Button variant="default" onClick={thenFocus(onRestore)}>
          Restore draft
        </Button>
      </Group>
    </section>
  )
}

type FormState = Omit<DataForm<object>, 'change' | 'field' | 'checkbox' | 'settle'>

interface FormProps
  extends Omit<ComponentProps<'form'>, 'form' | 'onSubmit'>,
    Pick<StackProps, 'gap' | 'maw' | 'align'> {
  form: FormState
}

/** In forms without browser validation, the first refused field gets the focus after it is rendered. */
function useFocusRefused(form: FormState, isOn = false) {
  const element = useRef<HTMLFormElement>(null)
  const [refusals, setRefusals] = useState(0)
  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [refusals])
  const submit = async () => {
    if (!(await form.submit()) && isOn) setRefusals((before) => before + 1)
  }
  return { element, submit }
}

/**
 * Submits through the service, not the browser. The children are stacked by default. A class can arrange them
 * differently.
 */
export function Form({ form, children, gap = 'md', maw, align, ...rest }: FormProps) {
  const { element, submit } = useFocusRefused(form, rest.noValidate)
  return (
    <form
      ref={element}
      className="stack gap-12"
      data-asks={form.keepsDraft ? 'no' : undefined}
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {form.offer && <DraftOffer {...form.offer} />}
      {rest.className ? children : <Stack {...{ gap, maw, align, children }} />}
    </form>
  )
}

interface ProblemProps {
  form: FormState
  /** The paths whose problems are shown at fields. By default, the values that have an entry in `form.errors`. */
  shown?: readonly string[] | undefined
}

const shownOf = ({ values, errors }: FormState) => Object.keys(values).filter((name) => name in errors)

/** Shows problems that no field shows. */
export function FormProblem({ form, shown = shownOf(form) }: ProblemProps) {
  // An error that is only a code has no path. `problemsOf` may have assigned it to a field, which shows it.
  const isAtField = !hasProblems(form.error) && shown.some((name) => form.errors[name] !== undefined)
  return isAtField ? null : <FormError error={form.error} fields={shown} />
}

interface SubmitProps extends Omit<ButtonProps, 'form' | 'loading'> {
  form: FormState
  /** Whether there are changes to save. */
  isReady?: boolean
  /** Shows the keys that submit the form. */
  hasKeys?: boolean
  'aria-label'?: string
  children: ReactNode
}

export function SubmitButton({ form, isReady = true, hasKeys = false, ...button }: SubmitProps) {
  return (
    <Button
      {...button}
      type="submit"
      loading={form.isBusy}
      disabled={!isReady}
      rightSection={hasKeys && <Kbd size="xs">{SAVE_KEYS}</Kbd>}
    />
  )
}

interface FormEndProps extends ProblemProps, Omit<SubmitProps, 'children'> {
  /** The text of the submit button. */
  verb: string
  cancel?: string
  /** Replaces the default: close the form and discard the input. */
  onCancel?: () => void
  /** Cancel is disabled until the service responds. */
  isHeld?: boolean
  /** Shown before the buttons. */
  children?: ReactNode
}

/** The error of a refusal, and the buttons. */
export function FormEnd(props: FormEndProps) {
  const { form, shown, verb, cancel = 'Cancel', onCancel = form.close, isHeld, children, ...button } = props
  return (
    <>
      <FormProblem form={form} shown={shown} />
      <Group justify="flex-end" gap="xs">
        {children}
        <Button variant="default" onClick={onCancel} disabled={isHeld && form.isBusy}>
          {cancel}
        </Button>
        <SubmitButton form={form} {...button}>
          {verb}
        </SubmitButton>
      </Group>
    </>
  )
}
