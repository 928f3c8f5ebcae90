// The form itself: what of it was entered before, its fields, and its buttons with what refused it above them.
import { Button, type ButtonProps, Group, Kbd, Stack, type StackProps, Text } from '@mantine/core'
import { type ComponentProps, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { SAVE_KEYS } from '../../ui/save-keys.ts'
import { hasProblems } from '../api/errors.ts'
import { FormError } from '../form-error.tsx'
import type { DataForm } from './use-data-form.ts'
import type { Offer } from './use-form-values.ts'

const FIELD = 'input:not([type=hidden], [type=radio], [type=checkbox]), textarea'

/** The offer is removed then: the first field of the form has the focus. */
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

/** Where the browser does not check the fields, the first that was refused takes the focus, once that is drawn. */
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

/** The browser does not submit it. Its children are stacked, unless it is given a class, which arranges them then. */
export function Form({ form, children, gap = 'md', maw, align, ...rest }: FormProps) {
  const { element, submit } = useFocusRefused(form, rest.noValidate)
  return (
    <form
      ref={element}
      className="stack gap-12"
      {...rest}
      data-asks={form.keepsDraft ? 'no' : undefined}
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
  /** The paths whose problems are shown at fields; by default those of values that `form.errors` has. */
  shown?: readonly string[] | undefined
}

const shownOf = ({ values, errors }: FormState) => Object.keys(values).filter((name) => name in errors)

/** What no field of the form shows. */
export function FormProblem({ form, shown = shownOf(form) }: ProblemProps) {
  // A refusal by its code has no path: what `problemsOf` makes of it is at its field.
  const isAtField = !hasProblems(form.error) && shown.some((name) => form.errors[name] !== undefined)
  return isAtField ? null : <FormError error={form.error} fields={shown} />
}

interface SubmitProps extends Omit<ButtonProps, 'form' | 'loading'> {
  form: FormState
  /** Whether there is something to save. */
  isReady?: boolean
  /** With the keys that press it. */
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
  /** What the button does. */
  verb: string
  cancel?: string
  /** In place of closing the form, and giving up what was entered. */
  onCancel?: () => void
  /** It stays open until the service answers. */
  isHeld?: boolean
  /** Before the buttons. */
  children?: ReactNode
}

/** What refused it, and its buttons. */
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
