import type { Command, Machine, NativeReply } from '../native/durable.cjs';
import { after } from '../runtime/timers.cjs';
import type { Engine } from './engine.cjs';

/** Takes a notice, which is JSON text. It never throws. */
export type Notify = (notice: string) => void;

/** Runs a machine over an engine: sends its operations, gives it their replies, and looks at its deadlines. */
export class Driver {
  /** The error of the last operation, if it has no reply. */
  failure: unknown;
  readonly #machine: Machine;
  readonly #engine: Engine;
  readonly #take: (command: Command) => void;
  readonly #notify: Notify | undefined;
  #timer: ReturnType<typeof after>;
  #isClosed = false;
  #isHeld = false;
  #isRunning = false;
  #runsAgain = false;

  /**
   * @param take called with every command but `send`
   * @param notify called with the notices of the machine
   */
  constructor(machine: Machine, engine: Engine, take: (command: Command) => void, notify: Notify | undefined) {
    this.#machine = machine;
    this.#engine = engine;
    this.#take = take;
    this.#notify = notify;
  }

  /** Carries out the commands of the machine. Called after every input, and once at the start. */
  wake(): void {
    this.#runsAgain = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#runsAgain) {
        this.#runsAgain = false;
        this.#run();
      }
    } finally {
      this.#isRunning = false;
    }
    this.#wakeLater();
  }

  #run(): void {
    while (!this.#isClosed) {
      const command = this.#machine.poll(performance.now());
      if (!command) return;
      if (this.#notify) this.#tell(this.#notify);
      if (command.operation === undefined) this.#take(command);
      else void this.#send(command.operation);
    }
  }

  #tell(notify: Notify): void {
    for (let notice = this.#machine.notice(); notice; notice = this.#machine.notice()) notify(notice);
  }

  async #send(operation: NonNullable<Command['operation']>): Promise<void> {
    let reply: NativeReply | undefined;
    try {
      reply = await this.#engine.run(operation);
      this.failure = undefined;
    } catch (error) {
      // The machine repeats operations without a reply, and knows when to give up.
      this.failure = error;
    }
    if (this.#isClosed) return;
    this.#machine.reply(performance.now(), operation, reply);
    this.wake();
  }

  #wakeLater(): void {
    clearTimeout(this.#timer);
    const deadline = this.#isClosed ? undefined : this.#machine.deadline();
    if (typeof deadline !== 'number') return;
    this.#timer = after(Math.max(Math.ceil(deadline - performance.now()), 0), () => this.wake());
    // The connections of clients and the work of agents keep a process running.
    if (!this.#isHeld) this.#timer?.unref?.();
  }

  /** Keeps the process running until the work has ended. Looks at the machine, which has got an input. */
  hold(): void {
    this.#isHeld = true;
    this.wake();
  }

  /** Ends the work. Replies that arrive later are dropped. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }
}

/** Runs a machine until its first command that is not `send`. `failed` is called if the last operation before it has no reply. */
export function decide(machine: Machine, engine: Engine, failed: (error: unknown) => void, notify?: Notify): Promise<Command> {
  return new Promise((resolve) => {
    const driver = new Driver(machine, engine, (command) => {
      driver.close();
      if (driver.failure !== undefined) failed(driver.failure);
      resolve(command);
    }, notify);
    driver.wake();
  });
}
