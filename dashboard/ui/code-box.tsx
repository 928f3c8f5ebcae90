// Text for machines, exactly as it is, with a button that copies it.
import { Button, CopyButton } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import classes from './code-box.module.css'

interface CodeBoxProps {
  code: string
  /** What is copied: "Copy key". */
  label: string
  /** Lines that are too long go on in the next one. */
  wraps?: boolean
}

export function CodeBox({ code, label, wraps = false }: CodeBoxProps) {
  return (
    <div className={classes.box}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={classes.code} data-wraps={wraps || undefined} tabIndex={0}>
        {code}
      </pre>
      <CopyButton value={code} timeout={1500}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            onClick={copy}
            leftSection={copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
          >
            {copied ? 'Copied' : label}
          </Button>
        )}
      </CopyButton>
    </div>
  )
}
