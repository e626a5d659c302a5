// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { belongsToInputMethod, createCompositionWatch } from '../../../src/renderer/src/ui/enter.ts'
import { TextField } from '../../../src/renderer/src/ui/text-field.tsx'

afterEach(cleanup)

describe('[U-45] a key belongs to the input method', () => {
  test.each([
    ['while the composition flag is set', { isComposing: true, keyCode: 13 }, false, true],
    ['with key code 229', { isComposing: false, keyCode: 229 }, false, true],
    ['in the task in which a composition ended', { isComposing: false, keyCode: 13 }, true, true],
    ['and to the app otherwise', { isComposing: false, keyCode: 13 }, false, false],
  ])('%s', (_when, key, endedInThisTask, expected) => {
    expect(belongsToInputMethod(key, endedInThisTask)).toBe(expected)
  })

  test('the end of a composition is forgotten with the next task', () => {
    const tasks: (() => void)[] = []
    const watch = createCompositionWatch((run) => tasks.push(run))

    watch.end()
    expect(watch.endedInThisTask).toBe(true)

    for (const task of tasks) task()
    expect(watch.endedInThisTask).toBe(false)
  })
})

describe('[U-45] a field that reacts to Enter', () => {
  const field = (): { input: HTMLElement; onEnter: ReturnType<typeof vi.fn> } => {
    const onEnter = vi.fn()
    render(<TextField label="Name" onEnter={onEnter} defaultValue="にほ" />)
    return { input: screen.getByLabelText('Name'), onEnter }
  }

  test('does not react while a composition runs', () => {
    const { input, onEnter } = field()
    fireEvent.keyDown(input, { key: 'Enter', isComposing: true })
    fireEvent.keyDown(input, { key: 'Enter', keyCode: 229 })
    expect(onEnter).not.toHaveBeenCalled()
  })

  test('does not react in the task in which the composition ended, and does in the next', async () => {
    const { input, onEnter } = field()

    fireEvent.compositionEnd(input)
    fireEvent.keyDown(input, { key: 'Enter' })
    expect(onEnter).not.toHaveBeenCalled()

    await new Promise((resolve) => setTimeout(resolve, 0))
    fireEvent.keyDown(input, { key: 'Enter' })
    expect(onEnter).toHaveBeenCalledTimes(1)
  })
})

test('[U-45] no view reads Enter on its own: one function decides for all', async () => {
  const { globSync } = await import('tinyglobby')
  const { readFileSync } = await import('node:fs')
  const readers = globSync(['src/renderer/src/{app,features,ui}/**/*.{ts,tsx}'])
    .filter((file) => /key === 'Enter'/.test(readFileSync(file, 'utf8')))
    // the splitter is not a text field: no input method composes on it
    .filter((file) => !file.endsWith('ui/enter.ts') && !file.endsWith('ui/splitter.tsx'))
  expect(readers).toEqual([])
})
