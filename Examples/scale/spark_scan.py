"""Probes a list on a Spark cluster, with a scan for each partition.

usage: spark_scan.py LIST FOLDER PARTITIONS [OPTION OF PROBEKIT SCAN]...

Spark repeats the partition of an executor or a scan that dies. FOLDER gets the file of a partition once that is complete.
The machines need probekit in their PATH. LIST and FOLDER can be in any file system that Spark reads.
"""

import os
import shlex
import sys

from pyspark.sql import SparkSession

source, folder, partitions, *options = sys.argv[1:]
spark = SparkSession.builder.appName("probekit scan").getOrCreate()
# Without checkCode, the output of a scan that dies would count. Without an environment, the scan would not even have a PATH.
results = spark.sparkContext.textFile(source, int(partitions)).pipe(
    shlex.join(["probekit", "scan", "--quiet", *options]), env={"PATH": os.environ["PATH"]}, checkCode=True)
results.saveAsTextFile(folder)
spark.stop()
