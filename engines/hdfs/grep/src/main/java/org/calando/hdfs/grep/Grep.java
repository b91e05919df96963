package org.calando.hdfs.grep;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.LocalJobRunner;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.map.InverseMapper;
import org.apache.hadoop.mapreduce.lib.map.RegexMapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;

/**
 * The two jobs of a grep: the first finds and counts what matches, the second sorts it by count.
 *
 * <p>They run in this process, a thread for each map at work. Results of the first are a few
 * hundred bytes; they are kept in a local folder, so that nothing is ever left on the searched file
 * system. Not thread safe.
 */
final class Grep {
  /** What a map sorts is small, and a buffer is allocated for each. */
  private static final int SORT_MEBIBYTES = 8;

  /** How often a job is asked whether it is done; 5 s if nobody says. */
  private static final int POLL_MILLIS = 20;

  private final Configuration configuration;
  private final Path scratch;
  private final String pattern;

  /**
   * Nothing is started yet.
   *
   * @param scratch a local folder for what the jobs keep; removed by who made it
   * @param pattern a regular expression of Java
   * @param maps how many maps run at once
   */
  Grep(Path scratch, String pattern, int maps) {
    this.scratch = scratch;
    this.pattern = pattern;
    this.configuration = settings(scratch, maps);
  }

  private static Configuration settings(Path scratch, int maps) {
    Configuration settings = new Configuration();
    settings.set("mapreduce.framework.name", "local");
    settings.set("hadoop.tmp.dir", scratch.resolve("tmp").toString());
    settings.setInt("mapreduce.task.io.sort.mb", SORT_MEBIBYTES);
    settings.setInt(LocalJobRunner.LOCAL_MAX_MAPS, maps);
    settings.setInt(Job.COMPLETION_POLL_INTERVAL_KEY, POLL_MILLIS);
    settings.setInt(Job.PROGRESS_MONITOR_POLL_INTERVAL_KEY, POLL_MILLIS);
    // A server that has gone is told in seconds, not after half an hour of retries.
    settings.setInt("ipc.client.connect.max.retries", 3);
    settings.setInt("ipc.client.connect.max.retries.on.timeouts", 1);
    return settings;
  }

  /** A file to search. */
  record Input(org.apache.hadoop.fs.Path path, long bytes) {}

  /** All files of a folder of a file system, below it too; {@code folder} is a URI. */
  List<Input> files(String folder) throws IOException {
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(folder);
    FileSystem files = root.getFileSystem(configuration);
    List<Input> inputs = new ArrayList<>();
    collect(files, root, inputs);
    return inputs;
  }

  private static void collect(FileSystem files, org.apache.hadoop.fs.Path folder, List<Input> to)
      throws IOException {
    for (FileStatus status : files.listStatus(folder)) {
      String name = status.getPath().getName();
      // As MapReduce has it: such files are not data.
      if (name.startsWith(".") || name.startsWith("_")) {
        continue;
      }
      if (status.isDirectory()) {
        collect(files, status.getPath(), to);
      } else if (status.getLen() > 0) {
        to.add(new Input(status.getPath(), status.getLen()));
      }
    }
  }

  /** Finds and counts; returns how many matches its maps found. */
  long search(List<Input> inputs) throws IOException, InterruptedException {
    Job job = job("grep-search");
    job.setMapperClass(RegexMapper.class);
    job.getConfiguration().set(RegexMapper.PATTERN, pattern);
    for (Input input : inputs) {
      FileInputFormat.addInputPath(job, input.path());
    }
    job.setCombinerClass(LongSumReducer.class);
    job.setReducerClass(LongSumReducer.class);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(LongWritable.class);
    FileOutputFormat.setOutputPath(job, local("found"));
    run(job);
    return job.getCounters().findCounter(TaskCounter.MAP_OUTPUT_RECORDS).getValue();
  }

  /** Sorts what was found by count, the most frequent first, into one file of text. */
  void sort() throws IOException, InterruptedException {
    Job job = job("grep-sort");
    job.setMapperClass(InverseMapper.class);
    FileInputFormat.setInputPaths(job, local("found"));
    job.setInputFormatClass(SequenceFileInputFormat.class);
    job.setNumReduceTasks(1);
    job.setSortComparatorClass(LongWritable.DecreasingComparator.class);
    job.setOutputFormatClass(TextOutputFormat.class);
    job.setOutputKeyClass(LongWritable.class);
    job.setOutputValueClass(Text.class);
    FileOutputFormat.setOutputPath(job, local("sorted"));
    run(job);
  }

  /** Where the second job has written a line for each text that was found, count first. */
  Path sorted() {
    return scratch.resolve("sorted").resolve("part-r-00000");
  }

  private Job job(String name) throws IOException {
    Job job = Job.getInstance(configuration, name);
    job.setJarByClass(Grep.class);
    return job;
  }

  private static void run(Job job) throws IOException, InterruptedException {
    try {
      if (!job.waitForCompletion(false)) {
        throw new IOException(job.getJobName() + " failed: " + job.getStatus().getFailureInfo());
      }
    } catch (ClassNotFoundException e) {
      throw new IOException("a class of the job is missing: " + e.getMessage(), e);
    }
  }

  private org.apache.hadoop.fs.Path local(String name) {
    return new org.apache.hadoop.fs.Path(scratch.resolve(name).toUri());
  }
}
